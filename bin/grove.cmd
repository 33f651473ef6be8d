@echo off
rem Runs Grove with the workspace's own Node, from any folder; installs what is missing first. Nothing but Grove's own
rem output goes to stdout, which may carry a protocol.
setlocal
for %%I in ("%~dp0..") do set "HERE=%%~fI"
set "LOCK=%HERE%\.installing"
if exist "%HERE%\node_modules\node\bin\node.exe" goto run
:lock
mkdir "%LOCK%" 2>nul && goto install
if exist "%HERE%\node_modules\node\bin\node.exe" goto run
timeout /t 1 /nobreak >nul 2>&1
goto lock
:install
echo Installing what Grove needs (once)... 1>&2
pushd "%HERE%"
call npx -y pnpm@12.4.2 install --frozen-lockfile <nul 1>&2
set "FAILED=%ERRORLEVEL%"
popd
rmdir /s /q "%LOCK%" 2>nul
if not "%FAILED%"=="0" (
  echo Grove could not install what it needs. See the messages above; npx comes with Node.js 20 or newer. 1>&2
  exit /b 1
)
:run
rem Expanded before endlocal takes the variables away, so that Grove sees the caller's environment.
endlocal & "%HERE%\node_modules\node\bin\node.exe" --min-semi-space-size=16 --max-semi-space-size=16 --initial-old-space-size=64 "%HERE%\apps\cli\src\main.ts" %*

// Data and programs that a machine may lack: tests that need them are skipped by name.
export { describeWithData, testData } from './data.ts';
// Folders that vanish with the test, or when they are removed.
export {
  makeFifo,
  makeFolder,
  removeFolder,
  type TestFolder,
  temporaryFolder,
  writeFiles,
} from './folders.ts';
// A git server over HTTP, with the faults that real ones have.
export { GitHttpServer, type SeenRequest } from './git-http-server.ts';
// Processes that tests start, read and kill.
export { collect, end, spawnScript } from './processes.ts';
export { describeWithPrograms } from './programs.ts';
export { makeRemoteSide, type RemoteSide } from './remote-side.ts';
export { protectBranches, serveGit } from './serve-git.ts';
// Git itself, to make repositories and to judge what Grove wrote.
export { SystemGit } from './system-git.ts';

// Folders that vanish with the test.

// Data and programs that a machine may lack: tests that need them are skipped by name.
export { describeWithData, testData } from './data.ts';
export { temporaryFolder, writeFiles } from './folders.ts';
export { describeWithPrograms } from './programs.ts';

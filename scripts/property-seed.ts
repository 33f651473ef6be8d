import fc from 'fast-check';

// Under CI each property meets the same examples every time, so that a red run is about the change that it judges;
// everywhere else new ones are tried on each run.
if (process.env.CI === 'true') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_130 });

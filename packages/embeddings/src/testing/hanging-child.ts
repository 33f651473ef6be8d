// A process that never answers.
setInterval(() => {}, 1000);

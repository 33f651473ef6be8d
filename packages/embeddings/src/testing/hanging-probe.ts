// A child that never answers.
setInterval(() => {}, 1000);

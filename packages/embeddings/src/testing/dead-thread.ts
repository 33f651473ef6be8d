// A thread that dies before it has loaded anything.
throw new Error('as a broken runtime would');

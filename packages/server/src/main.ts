console.log("hello", process.version, process.execPath)

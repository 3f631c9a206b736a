/** Loaded into a measured process: tells its CPU time (all threads, microseconds) and memory (bytes) when asked. */
process.on('message', (message) => {
  if (message !== 'probe') return
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() })
})

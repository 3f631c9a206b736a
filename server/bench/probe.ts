/**
 * Loaded into a measured process: tells its CPU time (all threads, microseconds) and memory (bytes) when asked. Only
 * `probe-memory` collects garbage first: after a forced collection the heap starts small again and works harder for a while.
 */
process.on('message', (message) => {
  if (message !== 'probe' && message !== 'probe-memory') return
  if (message === 'probe-memory') globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() })
})

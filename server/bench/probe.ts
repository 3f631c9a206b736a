/**
 * Loaded into a measured process: tells its CPU time (of all threads and of its main thread, microseconds) and memory (bytes) when asked. Only
 * `probe-memory` collects garbage first: after a forced collection the heap starts small again and works harder for a while.
 */
process.on('message', (message) => {
  if (message !== 'probe' && message !== 'probe-memory') return
  if (message === 'probe-memory') globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const main = process.threadCpuUsage()
  process.send?.({ cpu: user + system, main: main.user + main.system, rss: process.memoryUsage.rss() })
})

/**
 * Runs `work` every `ms`, never twice at once; a failure is reported and the next run is still scheduled. Returns the function
 * that stops it. Does not keep the process alive.
 */
export const every = (ms: number, work: () => Promise<void>, failed: (error: unknown) => void): (() => void) => {
  let running = false
  const turn = async (): Promise<void> => {
    if (running) return
    running = true
    try {
      await work()
    } catch (error) {
      failed(error)
    }
    running = false
  }
  const timer = setInterval(() => void turn(), ms)
  timer.unref()
  return () => clearInterval(timer)
}

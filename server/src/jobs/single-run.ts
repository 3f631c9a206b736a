/** Work of which one run at most is under way in this process. */
export interface SingleRun {
  /** True once it was stopped: the run that is under way ends at its next step. */
  readonly isStopped: boolean
  /** Starts a run, or joins the one that is under way. Rejects with its error. */
  work(): Promise<void>
  /** Lets the run that is under way end, whatever it ends with. */
  stop(): Promise<void>
}

/** Runs `work`, which looks at `isStopped` between its steps. */
export const openSingleRun = (work: () => Promise<void>): SingleRun => {
  let stopped = false
  let running: Promise<void> | undefined
  return {
    get isStopped() {
      return stopped
    },
    async work() {
      running ??= work().finally(() => {
        running = undefined
      })
      await running
    },
    async stop() {
      stopped = true
      await running?.catch(() => undefined)
    },
  }
}

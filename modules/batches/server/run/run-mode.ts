/** Instruction of a batch under way: go on, end the rest of its lines, or leave them to another runner. */
export type RunState = 'run' | 'cancelled' | 'expired' | 'left'

export interface RunMode {
  readonly current: RunState
  /** Changes the state once; a batch that is left stays so. */
  set(state: Exclude<RunState, 'run'>): void
  /** Resolves after so many milliseconds, or when the state changes. */
  wait(ms: number): Promise<void>
}

export const openRunMode = (): RunMode => {
  let current: RunState = 'run'
  const waiting = new Set<() => void>()
  return {
    get current() {
      return current
    },
    set(state) {
      if (current === 'left' || (current !== 'run' && state !== 'left')) return
      current = state
      for (const wake of waiting) wake()
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const wake = (): void => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        waiting.add(wake)
        if (current !== 'run') wake()
      }),
  }
}

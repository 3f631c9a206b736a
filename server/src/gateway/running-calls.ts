import type { RequestContext } from './request-context.ts'

/** Calls that are not over, whose clients may have left. */
export const openRunningCalls = () => {
  let calls = 0
  const waiting: (() => void)[] = []
  const ended = (): void => {
    calls -= 1
    if (calls === 0) for (const resolve of waiting.splice(0)) resolve()
  }
  return {
    /** Tracks a running call. The promise must not reject. `holder` releases its share of the memory for bodies. */
    track(call: Promise<void>, holder?: Pick<RequestContext, 'bodyShare'>): void {
      calls += 1
      void call.then(() => {
        holder?.bodyShare?.end()
        ended()
      })
    },
    get running() {
      return calls
    },
    /** Resolves when none is left. */
    over: (): Promise<void> => (calls === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

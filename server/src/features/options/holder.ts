import type { OptionKey } from '@tollgate/contract'
import type { Log } from '../../lib/log.ts'
import { changedKeys, defaultState, type OptionSnapshot, type OptionState } from './snapshot.ts'

export type OptionListener = (snapshot: OptionSnapshot, changed: readonly OptionKey[]) => void

/** The state that is live, and those who want to know when it changes. */
export interface StateHolder {
  current(): OptionState
  /** Makes `next` live, warns of rows that came out unusable, tells the listeners what changed. */
  use(next: OptionState): void
  subscribe(listener: OptionListener): () => void
  clear(): void
}

export const holdState = (log: Log): StateHolder => {
  const listeners = new Set<OptionListener>()
  let state = defaultState

  const warnOfProblems = (next: OptionState): void => {
    for (const [key, problem] of next.problems) {
      if (state.problems.get(key) === problem) continue
      log.warn('stored_option_ignored', { option: key, why: problem.en })
    }
  }

  const notify = (changed: readonly OptionKey[]): void => {
    for (const listener of [...listeners]) {
      try {
        listener(state.values, changed)
      } catch (error) {
        log.error('option_listener_failed', { error })
      }
    }
  }

  return {
    current: () => state,
    use(next) {
      const changed = changedKeys(state, next)
      warnOfProblems(next)
      // The old values object stays when nothing changed: others build things once per object.
      state = changed.length === 0 ? { ...next, values: state.values } : next
      if (changed.length > 0) notify(changed)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    clear: () => listeners.clear(),
  }
}

import { readdirSync, readFileSync } from 'node:fs'

/** Numbers of the processes that a process has started and that run; none where there is no `/proc`. */
export const childrenOf = (parent: number): readonly number[] => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => parentOf(pid) === parent)
  } catch {
    return []
  }
}

const parentOf = (pid: number): number | undefined => {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    // A killed process keeps its number until its parent has noticed.
    return state === 'Z' ? undefined : Number(parent)
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

/** One part of the process that may be out of order. */
export interface Check {
  readonly name: string
  /** undefined while it is in order; otherwise why not, in a few words without secrets. Must not throw. */
  fault(): string | undefined | Promise<string | undefined>
  /** False for a part that calls can do without for a while: it fails `/healthz` but not `/readyz`. */
  readonly needed: boolean
}

/** The phase of a process. */
export type Phase = 'starting' | 'running' | 'stopping'

export interface Checks {
  readonly phase: Phase
  /** Once, when calls are served. */
  started(checks: readonly Check[]): void
  /** Once, when the process was asked to stop. */
  stopping(): void
  all(): readonly Check[]
}

/** The checks of a process: none before it has started, and a phase that `/readyz` looks at first. */
export const createChecks = (): Checks => {
  let phase: Phase = 'starting'
  let checks: readonly Check[] = []
  return {
    get phase() {
      return phase
    },
    started(those) {
      checks = those
      if (phase === 'starting') phase = 'running'
    },
    stopping() {
      phase = 'stopping'
    },
    all: () => checks,
  }
}

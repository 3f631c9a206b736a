import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSite } from './operator.ts'
import { type Measured, startGateway, startScript } from './processes.ts'

/** Measured process: the floor or the gateway, running. */
export interface Side {
  readonly name: string
  readonly process: Measured
  readonly key: string
}

export interface GatewaySide extends Side {
  /** Milliseconds from the start of the process to its first answer. */
  readonly startMs: number
  readonly databasePath: string
  remove(): void
}

/** Of root, on every gateway that is measured. */
export const rootPassword = 'bench-password'

export const startFloor = async (upstreamPort: number): Promise<Side> => ({
  name: 'floor',
  process: await startScript('floor.ts', { UPSTREAM_PORT: String(upstreamPort) }),
  key: 'sk-upstream',
})

/** The built gateway with everything on: auth, billing, journal and logs on SQLite. */
export const startGatewaySide = async (
  port: number,
  upstreamPort: number,
  environment: Record<string, string> = {},
): Promise<GatewaySide> => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const started = await startGateway(port, {
    ...environment,
    DATA_DIR: directory,
    INITIAL_ROOT_PASSWORD: rootPassword,
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  })
  return {
    name: 'gateway',
    process: started,
    key: await openSite(port, upstreamPort, rootPassword),
    startMs: started.startMs,
    databasePath: join(directory, 'tollgate.db'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

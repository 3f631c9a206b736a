import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cell, Client } from './client.ts'
import type { Outcome, Row } from './compare.ts'
import { type Gateway, models, openGateway } from './gateway.ts'
import { install, type Versions } from './install.ts'

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const outcomesOf = (client: Client, cells: readonly Cell[]): Row['outcomes'] => {
  const outcomes: Partial<Record<Cell['upstream'], Outcome>> = {}
  for (const kind of client.upstreams) {
    const own = cells.filter(({ upstream }) => upstream === kind)
    const failed = own.filter(({ reason }) => reason !== undefined).map(({ check }) => check)
    if (own.length > 0) outcomes[kind] = { checks: own.length, failed }
  }
  return outcomes
}

const runOne = async (client: Client, installed: string, gateway: Gateway): Promise<readonly Cell[]> => {
  const temp = mkdtempSync(join(tmpdir(), 'tollgate-client-'))
  const { site, operator, upstream, openKey } = gateway
  try {
    return await client.run({ url: site.url, operator, upstream, models, installed, temp, openKey })
  } catch (error) {
    return client.upstreams.map((kind) => ({ upstream: kind, check: 'run', reason: said(error) }))
  } finally {
    rmSync(temp, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Installs and runs these clients, one after the other. One that cannot be installed says so and has no row. */
export const runClients = async (
  clients: readonly Client[],
  versions: Versions,
  print: (text: string) => void,
): Promise<Row[]> => {
  const gateway = await openGateway()
  // Whoever ends the command ends the gateway that it has started.
  const interrupted = (): void => void gateway.close().finally(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted)
  const rows: Row[] = []
  try {
    for (const client of clients) {
      const version = versions[client.registry][client.packages[0] ?? ''] ?? ''
      const installed = await install(client, versions).catch((error: unknown) => {
        print(`${client.name} ${version} cannot be installed, so it is skipped: ${said(error)}`)
      })
      if (installed === undefined) continue
      const cells = await runOne(client, installed, gateway)
      const failed = cells.filter(({ reason }) => reason !== undefined)
      print(`${client.name} ${version}: ${cells.length - failed.length} of ${cells.length} checks passed`)
      for (const { upstream, check, reason } of failed) print(`  ${upstream}, ${check}: ${reason}`)
      rows.push({ client: client.name, version, outcomes: outcomesOf(client, cells) })
    }
    return rows
  } finally {
    await gateway.close()
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootPassword, type Site, startSite } from '../support/site.ts'
import { fillBusySite } from './fill.ts'
import type { BusyPlan } from './plan.ts'

export interface FilledSite {
  readonly site: Site
  close(): Promise<void>
}

/** The built product over weeks of calls that `npm run busy` would write, the newest of them of now. */
export const openFilledSite = async (plan: Omit<BusyPlan, 'until'>): Promise<FilledSite> => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-filled-'))
  const places = { CRYPTO_SECRET: 'a secret for tests', SQL_DSN: `sqlite:${join(directory, 'filled.db')}` }
  const environment = { ...places, DATA_DIR: directory, INITIAL_ROOT_PASSWORD: rootPassword }
  await fillBusySite(environment, { ...plan, until: Date.now() })
  const site = await startSite({ ...places, GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false', UPDATE_TASK: 'false' })
  return {
    site,
    async close() {
      await site.remove()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

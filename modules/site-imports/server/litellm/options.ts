import { isTimeZone } from '@tollgate/contract/time-zone'
import { z } from 'zod'
import type { MovedOption, OpenSiteParts } from '../site.ts'
import { object, text } from '../source/cells.ts'
import { type Router, readRouter, routerSettings } from './router.ts'
import { rowsOf } from './rows.ts'

export const configTable = 'LiteLLM_Config'

const configRow = z.object({ param_name: text, param_value: object })

export interface LitellmConfig {
  readonly options: readonly MovedOption[]
  /** When budgets begin anew. */
  readonly timeZone: string
  readonly router: Router
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** Settings that were saved in the database; those of the configuration file are not in it. */
export const readConfig = async (parts: OpenSiteParts): Promise<LitellmConfig> => {
  const options: MovedOption[] = []
  let timeZone = 'UTC'
  const rows = await rowsOf(parts, { table: configTable, column: 'param_name', shape: configRow })
  const valuesOf = new Map(rows.map((row) => [row.param_name, row.param_value]))
  for (const { param_name: part, param_value: values } of rows) {
    for (const [name, value] of Object.entries(values)) {
      if (part === 'router_settings' && name === 'num_retries' && typeof value === 'number')
        options.push({ key: 'RetryTimes', text: String(value) })
      else if (part === 'litellm_settings' && name === 'timezone' && typeof value === 'string' && isTimeZone(value))
        timeZone = value
      else if (isEmpty(value) || (/^(?:router|litellm)_settings$/.test(part) && routerSettings.has(name))) continue
      else parts.notes.note('option_unknown', `${part}.${name}`)
    }
  }
  const settings = [valuesOf.get('router_settings') ?? {}, valuesOf.get('litellm_settings') ?? {}] as const
  const router = readRouter(settings, (what) => parts.notes.note('route_left', what))
  return { options, timeZone, router }
}

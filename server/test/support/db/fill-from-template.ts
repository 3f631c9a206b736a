import { inject } from 'vitest'
import type { DatabaseAddress } from '../../../src/db/database.ts'
import { copyTemplate } from './templates.ts'

/** Gives an empty database the migrated tables of its engine's template, in a tenth of the time that migrating takes. */
export const fillFromTemplate = async (address: DatabaseAddress): Promise<void> => {
  const template = inject('templates')[address.engine]
  if (template === undefined) throw new Error(`no template for ${address.engine}`)
  await copyTemplate(template, address)
}

import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../page.ts'
import { balanceMonth, chargeSums, monthQuery, movementSum } from '../records/balance-months.ts'

/** A month of an organisation in its time zone. */
export const organisationStatement = balanceMonth
  .pick({ month: true, zone: true, from: true, to: true, complete: true, quota_per_unit: true, models: true })
  .extend({
    /** Balance of the wallet before and after; null for readers who see their own calls alone. */
    opening: z.int().nullable(),
    closing: z.int().nullable(),
    /** Everything of the wallet but charges; empty for readers who see their own calls alone. */
    movements: z.array(movementSum),
    /** Charges, as far as the reader may see them. */
    charges: chargeSums,
    /** By project, dearest first; 0 for a key that belongs to none any more. */
    projects: z.array(chargeSums.extend({ project_id: z.int(), name: z.string() })),
    /** By member, dearest first; 0 for machines. */
    members: z.array(chargeSums.extend({ member_id: z.int(), name: z.string() })),
    /** By cost tag (`name=value`); a call with several tags counts for each of them. */
    tags: z.array(z.object({ tag: z.string(), count: z.int(), quota: z.int() })),
  })
export type OrganisationStatement = z.output<typeof organisationStatement>

const query = z.object({ month: monthQuery })

export const getOrganisationStatement = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/statement',
  access: 'user',
  summary: 'A month of an organisation by project, member, tag and model; members see their own calls alone',
  params: idParams,
  query,
  data: organisationStatement,
})

export const exportOrganisationStatement = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/statement/export',
  access: 'user',
  summary: 'The same as CSV',
  params: idParams,
  query,
  answers: 'file',
  fileTypes: ['text/csv'],
})

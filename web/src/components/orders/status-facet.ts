import { orderStates } from '../../lib/api/contract.ts'
import type { Facet } from '../data-table/columns/column.ts'
import type { SayOrder } from './messages.ts'

export const statusFacet = (say: SayOrder): Facet<'status'> => ({
  kind: 'choice',
  id: 'status',
  label: say('status'),
  options: orderStates.map((value) => ({ value, label: say(`status_${value}`) })),
})

import { virtualModel, virtualModelChange } from '@tollgate/contract/channels/virtual-models'
import { endpoint } from '@tollgate/contract/endpoint'
import { idParams } from '@tollgate/contract/page'
import { z } from 'zod'

export const createVirtualModel = endpoint({
  method: 'POST',
  path: '/api/virtual-models',
  access: 'admin',
  summary: 'Makes a virtual model; 2,000 at most',
  body: virtualModelChange,
  data: virtualModel,
})

export const updateVirtualModel = endpoint({
  method: 'PUT',
  path: '/api/virtual-models/:id',
  access: 'admin',
  summary: 'Changes a virtual model; calls under way go on as they began',
  params: idParams,
  body: virtualModelChange,
  data: virtualModel,
})

export const deleteVirtualModel = endpoint({
  method: 'DELETE',
  path: '/api/virtual-models/:id',
  access: 'admin',
  summary: 'Deletes a virtual model',
  params: idParams,
})

const taken = z.object({
  /** Name of the rule; empty for the calls that no rule takes. */
  rule: z.string(),
  calls: z.int(),
  /** True where the condition also looks at what logs do not keep (teams, headers, tools, pictures), so that it takes this many at most. */
  at_most: z.boolean(),
})
export type TakenCalls = z.output<typeof taken>

export const previewVirtualModel = endpoint({
  method: 'POST',
  path: '/api/virtual-models/preview',
  access: 'admin',
  summary:
    'How many calls of the last 24 hours each rule would have taken: those of its name, or of its targets where it is new',
  body: virtualModelChange,
  changes: false,
  // It counts the calls of users by rules that the caller makes up, also for those to whom the log is closed.
  answersGuesses: true,
  data: z.object({ calls: z.int(), rules: z.array(taken) }),
})

import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../page.ts'

/** Channels that keys may use: those named, and those with one of the tags. Neither is no fence: every channel. */
export const channelFence = z.object({
  channels: z.array(z.int().positive()).max(500).default([]),
  tags: z.array(z.string().min(1).max(191)).max(50).default([]),
})
export type ChannelFence = z.output<typeof channelFence>

export const fencedSubjects = ['organisation', 'team', 'project'] as const

const placedFence = channelFence.extend({
  subject: z.enum(fencedSubjects),
  /** Of the team or project; 0 for the organisation. */
  subject_id: z.int().min(0),
})
export type PlacedFence = z.output<typeof placedFence>

export const listChannelFences = endpoint({
  method: 'GET',
  path: '/api/organisation/site/:id/fences',
  access: 'admin',
  summary: 'The channels that an organisation, its teams and projects may use; those without a fence are left out',
  params: idParams,
  data: z.array(placedFence),
})

export const setChannelFence = endpoint({
  method: 'PUT',
  path: '/api/organisation/site/:id/fences',
  access: 'admin',
  summary:
    'Sets the channels that keys of an organisation, team or project may use; the organisation does not see them',
  params: idParams,
  body: placedFence,
})

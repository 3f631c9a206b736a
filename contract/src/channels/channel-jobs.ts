import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { refusalFields } from '../errors/refusal.ts'
import { idParams } from '../page.ts'
import { longestModelName } from '../sizes.ts'
import { channelFields } from './channels.ts'

/** Empty where the provider has no webhooks for a whole account, or the site no public HTTPS address. */
export const getChannelWebhook = endpoint({
  method: 'GET',
  path: '/api/channel/:id/webhook',
  access: 'admin',
  summary: 'The address at which the provider of a channel may say that batches have changed',
  params: idParams,
  data: z.object({ url: z.string() }),
})

/** Answers at once; the test continues in the background, once for all nodes. */
export const testAllChannels = endpoint({
  method: 'GET',
  path: '/api/channel/test',
  access: 'admin',
  summary: 'Starts a test of all channels',
  changes: true,
})

/** `balance` is beside `data` in the envelope. */
export const updateBalance = endpoint({
  method: 'GET',
  path: '/api/channel/update_balance/:id',
  access: 'admin',
  summary: 'Asks the upstream of a channel for its balance',
  changes: true,
  params: idParams,
  beside: z.object({ balance: z.number() }),
})

/** Answers at once, like the test. */
export const updateAllBalances = endpoint({
  method: 'GET',
  path: '/api/channel/update_balance',
  access: 'admin',
  summary: 'Starts asking for the balances of all enabled channels',
  changes: true,
})

const job = z.object({
  running: z.boolean(),
  /** Unix seconds; 0 when it was never begun, or not finished yet. */
  started_time: z.int(),
  finished_time: z.int(),
  done: z.int(),
  total: z.int(),
  failed: z.int(),
  disabled: z.int(),
  enabled: z.int(),
  /** The last ones that failed, with the reason. */
  problems: z.array(z.object({ channel_id: z.int(), name: z.string(), reason: z.string(), ...refusalFields })),
})
export type ChannelJob = z.output<typeof job>

export const channelJobNames = ['test', 'balance'] as const
export type ChannelJobName = (typeof channelJobNames)[number]

export const getChannelJobs = endpoint({
  method: 'GET',
  path: '/api/channel/jobs',
  access: 'admin',
  summary: 'How far the test of all channels and the update of all balances are',
  data: z.object({ test: job, balance: job }),
})

export const stopChannelJob = endpoint({
  method: 'POST',
  path: '/api/channel/jobs/stop',
  access: 'admin',
  summary: 'Stops the test of all channels or the update of all balances',
  body: z.object({ job: z.enum(channelJobNames) }),
})

/** How a channel is tested. */
export const testFields = {
  /** Empty for the channel's test model or its first. */
  model: z.string().max(longestModelName).default(''),
  stream: z.boolean().default(false),
  /** Empty for "hi". */
  prompt: z.string().max(4000).default(''),
  timeout_seconds: z.int().min(1).max(600).default(60),
}

/** How a channel answered a test. */
const testedChannel = z.object({
  /** Seconds, with their fraction; of a stream until its end. */
  time: z.number(),
  /** Seconds until the first content of a stream; null where nothing was streamed. */
  first_content_time: z.number().nullable(),
  /** The first part of the answer's text. */
  answer: z.string(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
})

/** A test with its full settings. A failure is an error whose message is the upstream's. */
export const runChannelTest = endpoint({
  method: 'POST',
  path: '/api/channel/test/:id',
  access: 'admin',
  summary: 'Sends a question of your own through a channel',
  params: idParams,
  body: z.object({
    ...testFields,
    /** One of several keys; absent for any. */
    key_id: z.string().max(64).optional(),
  }),
  data: testedChannel,
})

/**
 * Tests a channel as a form has it. With `id` absent fields are those of the stored channel, and an empty key is its stored one;
 * nothing of the stored channel changes.
 */
export const testUnsavedChannel = endpoint({
  method: 'POST',
  path: '/api/channel/test/unsaved',
  access: 'admin',
  summary: 'Sends a question through a channel that is not saved yet, or through changes of one',
  body: z.object({
    ...testFields,
    id: z.int().positive().optional(),
    channel: channelFields,
  }),
  data: testedChannel,
})

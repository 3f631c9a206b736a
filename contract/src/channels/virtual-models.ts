import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { longestModelName } from '../sizes.ts'
import { channelChoices, failureClasses, virtualPrices } from './route-choices.ts'

export const mostVirtualModels = 2000
export const mostSteps = 10
export const mostTargets = 20
export const mostRules = 20
export const largestWeight = 1000
/** Entries of a list in a condition, and channels of a target. */
export const mostListed = 100
const longestText = 200

const modelName = z.string().trim().min(1).max(longestModelName)
const time = z.int().min(0).default(0)

const target = z.strictObject({
  /** A model that channels serve. */
  model: modelName,
  /** Ids of the only channels that may answer; empty for all that serve the model. */
  channels: z.array(z.int().positive()).max(mostListed).default([]),
  /** Tag of the only channels that may answer; empty for any. */
  tag: z.string().max(longestText).default(''),
  /** Its share among the targets of its step. */
  weight: z.int().min(1).max(largestWeight).default(1),
  /** Unix seconds from which, and until which (not included), it counts; 0 for no end. */
  from: time,
  until: time,
})
export type VirtualTarget = z.output<typeof target>

/** Targets that share the calls by weight; each is tried before the next step. */
const step = z.strictObject({ targets: z.array(target).min(1).max(mostTargets) })
export type VirtualStep = z.output<typeof step>

const steps = z.array(step).min(1).max(mostSteps)
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
const someNames = z.array(z.string().min(1).max(longestText)).max(mostListed)

/** All that are present must hold. */
const condition = z.strictObject({
  /** Ids of API keys, of teams whose projects' keys call, and names of groups. */
  keys: z.array(z.int().positive()).max(mostListed).optional(),
  teams: z.array(z.int().positive()).max(mostListed).optional(),
  groups: someNames.optional(),
  /** Cost tags of the key or the call, of which it has one: `name=value`, or `name` for any value. */
  tags: someNames.optional(),
  /** A header of the request, and the values of which it has one; empty for any value. */
  header: z
    .strictObject({
      name: z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[a-z0-9-]{1,100}$/),
      values: someNames.default([]),
    })
    .optional(),
  /** About so many prompt tokens at least, and less than so many. */
  prompt_from: z.int().min(1).optional(),
  prompt_below: z.int().min(1).optional(),
  /** Features of the request: it names tools, contains pictures, asks for a stream. */
  tools: z.boolean().optional(),
  pictures: z.boolean().optional(),
  stream: z.boolean().optional(),
  /** Hours of the day (UTC), over midnight where `from` is later than `until`; days of the week from 0 (Sunday). */
  hours: z
    .strictObject({
      from: clockTime,
      until: clockTime,
      days: z.array(z.int().min(0).max(6)).max(7).default([]),
    })
    .optional(),
})
export type VirtualCondition = z.output<typeof condition>

const rule = z.strictObject({ name: z.string().trim().min(1).max(longestText), when: condition, steps })
export type VirtualRule = z.output<typeof rule>

export const virtualModelChange = z.strictObject({
  /** The name that clients ask for. It may be that of a model that channels serve: then it stands before it. */
  name: modelName,
  description: z.string().trim().max(1000).default(''),
  enabled: z.boolean().default(true),
  /** Groups that may use it; empty for all. */
  groups: someNames.default([]),
  price: z.enum(virtualPrices).default('answered'),
  choice: z.enum(channelChoices).default('priority'),
  /** Asks a second channel for a stream that the first is slow to begin. */
  hedge: z.boolean().default(false),
  /** After which failures the next target is asked. */
  falls_back_on: z
    .array(z.enum(failureClasses))
    .default(['overload', 'context', 'timeout', 'server', 'credentials', 'missing']),
  /** The first rule whose condition holds gives the steps. */
  rules: z.array(rule).max(mostRules).default([]),
  /** The steps of calls that no rule fits. */
  steps,
})
export type VirtualModelChange = z.output<typeof virtualModelChange>

export const virtualModel = virtualModelChange.extend({
  id: z.int(),
  /** Unix seconds. */
  changed_time: z.int(),
})
export type VirtualModel = z.output<typeof virtualModel>

export const listVirtualModels = endpoint({
  method: 'GET',
  path: '/api/virtual-models',
  access: 'admin',
  summary: 'Names that stand for lists of models and channels, in alphabetical order',
  data: z.array(virtualModel),
})

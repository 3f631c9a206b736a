import { ownMember } from '@tollgate/contract/own-member'
import { namesOf } from '../../db/names/stored-names.ts'
import { agentRoutes } from '../../features/agents/routes.ts'
import type { ChannelPicture } from '../../features/channels/snapshot.ts'
import { cardRoutes } from '../../features/models/card-routes.ts'
import { openModelCards } from '../../features/models/cards.ts'
import { type DefaultModelFacts, modelFacts } from '../../features/models/facts/model-facts.ts'
import { openCatalogueFacts } from '../../features/models/facts/prepared-facts.ts'
import { openModelFigures } from '../../features/models/measures.ts'
import type { ModelEnd } from '../../features/models/model-ends.ts'
import { modelRoutes } from '../../features/models/routes.ts'
import type { Notices } from '../../features/notices/notices.ts'
import type { TokenService } from '../../features/tokens/service.ts'
import type { On } from '../../http/route.ts'
import { memoize } from '../../lib/memoize.ts'
import { makerOf } from '../../providers/makers.ts'
import type { SharedParts } from '../parts.ts'
import { joinModelEndNotices } from './model-end-notices.ts'

/** Announced prices begin while no option changes. */
const keptMs = 60_000
const mostKept = 10_000

/** Facts by model, kept for a minute while no option changes: the catalogue asks for all models at once. */
const keptFacts = (make: (model: string) => DefaultModelFacts, { priceOptions, clock }: SharedParts) => {
  const fresh = () => ({ at: clock(), options: priceOptions(), factsOf: memoize(mostKept, make) })
  let kept = fresh()
  return (model: string): DefaultModelFacts => {
    if (kept.options !== priceOptions() || clock() - kept.at >= keptMs) kept = fresh()
    return kept.factsOf(model)
  }
}

/** What the operator says of a model's end, in place of what the catalogue knows. */
const withEnd = (facts: DefaultModelFacts, model: string, { options }: SharedParts): DefaultModelFacts => {
  const end = ownMember(options.get('ModelEndDates'), model)
  return end === undefined ? facts : { ...facts, retires: end.ends, replaced_by: end.replaced_by ?? '' }
}

/** What is known of the ends of this site's models. */
export interface ModelSide {
  /** undefined where none is known. */
  endOf(model: string): ModelEnd | undefined
  close(): void
}

/** Joins the lists of models, the cards of the catalogue, the settings of coding agents, and notices of models that end. */
export const joinModels = async (
  shared: SharedParts,
  channels: { snapshot(): ChannelPicture },
  { tokens, notifyRoot }: { readonly tokens: Pick<TokenService, 'get'>; readonly notifyRoot: Notices['notifyRoot'] },
  on: On,
): Promise<ModelSide> => {
  const { database, audit, clock, groups, options, priceOptions } = shared
  const catalogue = await openCatalogueFacts()
  const priceOf = (model: string) => priceOptions().list?.find(model, clock())
  const sources = { catalogue, priceOf, makerOf: (model: string) => makerOf(model, (name) => priceOf(name)?.provider) }
  modelRoutes(on, {
    snapshot: channels.snapshot,
    usableGroups: (userGroup) => Object.keys(groups.usableGroups(userGroup)),
  })
  const listed = keptFacts((model) => modelFacts(model, sources), shared)
  const factsOf = (model: string): DefaultModelFacts => withEnd(listed(model), model, shared)
  const cards = openModelCards({
    database,
    audit,
    clock,
    factsOf,
  })
  agentRoutes(on, {
    token: ({ id: userId, username, group }, ip, id) => tokens.get({ id: userId, username, group, ip }, id),
    modelsOf(caller, group) {
      const picture = channels.snapshot()
      const names = group === '' ? Object.keys(groups.usableGroups(caller.group)) : [group]
      return [...new Set(names.flatMap((name) => picture.modelsOf(name)))].sort()
    },
    cards: cards.list,
    address: () => options.get('ServerAddress'),
  })
  cardRoutes(on, {
    cards,
    figures: openModelFigures({
      database,
      clock,
      userNames: namesOf(database).userNames,
      channelNames: async (ids) => {
        if (ids.length === 0) return new Map()
        const rows = database.query
          .selectFrom('channels')
          .select(['id', 'name', 'type'])
          .where('id', 'in', [...ids])
        return new Map((await rows.execute()).map(({ id, ...row }) => [id, row]))
      },
    }),
    served: () => channels.snapshot().models,
    visitorsSeeMeasures: () => options.get('PublicModelMeasures'),
  })
  const endOf = (model: string): ModelEnd | undefined => {
    const { retires: day, replaced_by: replacedBy } = factsOf(model)
    return day === '' ? undefined : { model, day, replacedBy }
  }
  const ends = (): readonly ModelEnd[] =>
    channels
      .snapshot()
      .models.map(endOf)
      .filter((end) => end !== undefined)
  return { endOf, close: joinModelEndNotices(shared, ends, notifyRoot) }
}

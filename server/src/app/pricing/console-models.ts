import { ownMember } from '@tollgate/contract/own-member'
import { agentRoutes } from '../../features/agents/routes.ts'
import type { ChannelPicture } from '../../features/channels/snapshot.ts'
import { cardRoutes } from '../../features/models/card-routes.ts'
import { openModelCards } from '../../features/models/cards.ts'
import { readCatalogueFacts } from '../../features/models/facts/catalogue-facts.ts'
import { type ModelFacts, modelFacts } from '../../features/models/facts/model-facts.ts'
import { openModelFigures } from '../../features/models/measures.ts'
import { modelRoutes } from '../../features/models/routes.ts'
import type { TokenService } from '../../features/tokens/service.ts'
import type { On } from '../../http/route.ts'
import { memoize } from '../../lib/memoize.ts'
import { makerOf } from '../../providers/makers.ts'
import { namesOf } from '../names.ts'
import type { SharedParts } from '../parts.ts'

/** Announced prices begin while no option changes. */
const keptMs = 60_000
const mostKept = 10_000

/** Facts by model, kept for a minute while no option changes: the catalogue asks for all models at once. */
const keptFacts = (make: (model: string) => ModelFacts, { priceOptions, clock }: SharedParts) => {
  const fresh = () => ({ at: clock(), options: priceOptions(), factsOf: memoize(mostKept, make) })
  let kept = fresh()
  return (model: string): ModelFacts => {
    if (kept.options !== priceOptions() || clock() - kept.at >= keptMs) kept = fresh()
    return kept.factsOf(model)
  }
}

/** What the operator says of a model's end, in place of what the catalogue knows. */
const withEnd = (facts: ModelFacts, model: string, { options }: SharedParts): ModelFacts => {
  const end = ownMember(options.get('ModelEndDates'), model)
  return end === undefined ? facts : { ...facts, retires: end.ends, replaced_by: end.replaced_by ?? '' }
}

/** Joins the lists of models, the cards of the catalogue, and the settings of coding agents. */
export const joinModels = async (
  shared: SharedParts,
  channels: { snapshot(): ChannelPicture },
  tokens: Pick<TokenService, 'get'>,
  on: On,
): Promise<void> => {
  const { database, audit, clock, groups, options, priceOptions } = shared
  const catalogue = await readCatalogueFacts()
  const priceOf = (model: string) => priceOptions().list?.find(model, clock())
  const sources = { catalogue, priceOf, makerOf: (model: string) => makerOf(model, (name) => priceOf(name)?.provider) }
  modelRoutes(on, {
    snapshot: channels.snapshot,
    usableGroups: (userGroup) => Object.keys(groups.usableGroups(userGroup)),
  })
  const factsOf = keptFacts((model) => modelFacts(model, sources), shared)
  const cards = openModelCards({
    database,
    audit,
    clock,
    factsOf: (model) => withEnd(factsOf(model), model, shared),
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
}

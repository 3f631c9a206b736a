import { ownMember } from '@tollgate/contract/own-member'
import type { ChannelPicture, SiteNews } from '../../app/noun-types.ts'
import type { FeatureKit, SharedParts } from '../../app/parts.ts'
import { namesOf } from '../../db/names/stored-names.ts'
import { memoize } from '../../lib/memoize.ts'
import { makerOf } from '../../providers/makers.ts'
import { cardRoutes } from './card-routes.ts'
import { type ModelCards, openModelCards } from './cards.ts'
import { type DefaultModelFacts, modelFacts } from './facts/model-facts.ts'
import { openCatalogueFacts } from './facts/prepared-facts.ts'
import { openModelFigures } from './measures.ts'
import { joinModelEndNotices } from './model-end-notices.ts'
import type { ModelEnd } from './model-ends.ts'
import { modelRoutes } from './routes.ts'

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

/** Facts with the operator's end date of a model, which replaces that of the catalogue. */
const withEnd = (facts: DefaultModelFacts, model: string, { options }: SharedParts): DefaultModelFacts => {
  const end = ownMember(options.get('ModelEndDates'), model)
  return end === undefined ? facts : { ...facts, retires: end.ends, replaced_by: end.replaced_by ?? '' }
}

/** Facts about this site's models, for others. */
export interface ModelSide {
  readonly cards: Pick<ModelCards, 'list'>
  /** When a model ends; undefined where that is not known. */
  endOf(model: string): ModelEnd | undefined
  close(): void
}

/** Joins the lists of models, the cards of the catalogue, and notices of models that end. */
export const joinModels = async (
  kit: FeatureKit,
  { channels, news }: { channels: { snapshot(): ChannelPicture }; news: Pick<SiteNews, 'modelsEnding'> },
): Promise<ModelSide> => {
  const { database, audit, clock, groups, options, priceOptions, on } = kit
  const catalogue = await openCatalogueFacts()
  const priceOf = (model: string) => priceOptions().list?.find(model, clock())
  const sources = { catalogue, priceOf, makerOf: (model: string) => makerOf(model, (name) => priceOf(name)?.provider) }
  modelRoutes(on, {
    snapshot: channels.snapshot,
    usableGroups: (userGroup) => Object.keys(groups.usableGroups(userGroup)),
  })
  const listed = keptFacts((model) => modelFacts(model, sources), kit)
  const factsOf = (model: string): DefaultModelFacts => withEnd(listed(model), model, kit)
  const cards = openModelCards({
    database,
    audit,
    clock,
    factsOf,
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
  return { cards, endOf, close: joinModelEndNotices(kit, ends, news.modelsEnding) }
}

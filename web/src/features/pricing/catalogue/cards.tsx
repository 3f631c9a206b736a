import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import type { PricedModel } from '../catalogue.ts'
import type { PriceUnit } from '../prices.ts'
import { CatalogueCard } from './card.tsx'
import classes from './catalogue.module.css'
import { useCatalogueMessages } from './messages.ts'

const RestTable = onDemand(async () => (await import('./rest-table.tsx')).RestTable)

const cardsAtOnce = 48
const rowsAtOnce = 100
/** Up to so many models are all cards. */
const mostCardsAlone = 12
/** Two lines of cards. */
const cardsAboveTable = 6

interface CardsProps {
  models: readonly PricedModel[]
  unit: PriceUnit
  picked: readonly string[]
  onPick: (name: string) => void
  onOpen: (name: string) => void
  /** True if there is room for a table. */
  isWide: boolean
}

/** The first models as cards. On wide windows all others are a table below; elsewhere more cards come on demand. */
export const CatalogueCards = ({ models, unit, picked, onPick, onOpen, isWide }: CardsProps) => {
  const say = useCatalogueMessages()
  const [steps, setSteps] = useState(1)
  const hasTable = isWide && models.length > mostCardsAlone
  const step = hasTable ? rowsAtOnce : cardsAtOnce
  const cards = hasTable ? cardsAboveTable : steps * step
  const listed = hasTable ? cards + steps * step : cards
  const rest = models.length - listed
  return (
    <>
      <ul className={classes.cards}>
        {models.slice(0, cards).map((model) => (
          <CatalogueCard
            key={model.item.model_name}
            model={model}
            unit={unit}
            picked={picked.includes(model.item.model_name)}
            onPick={onPick}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {hasTable && (
        <RestTable models={models.slice(cards, listed)} unit={unit} picked={picked} onPick={onPick} onOpen={onOpen} />
      )}
      {rest > 0 && (
        <Button className={classes.more ?? ''} onClick={() => setSteps(steps + 1)}>
          {say('more', { count: Math.min(rest, step) })}
        </Button>
      )}
    </>
  )
}

/** Keeps the place of the cards while they load. */
export const WaitingCards = () => (
  <ul className={classes.cards} aria-hidden="true">
    {Array.from({ length: 12 }, (_, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the grey cards never move
      <Skeleton key={place} component="li" h={208} radius="md" />
    ))}
  </ul>
)

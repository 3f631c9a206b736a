import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import type { PricedModel } from '../catalogue.ts'
import type { PriceUnit } from '../prices.ts'
import { CatalogueCard } from './card.tsx'
import classes from './catalogue.module.css'
import { useCatalogueMessages } from './messages.ts'

const step = 48

interface CardsProps {
  models: readonly PricedModel[]
  unit: PriceUnit
  picked: readonly string[]
  onPick: (name: string) => void
  onOpen: (name: string) => void
}

/** Cards three across, 48 at a time. */
export const CatalogueCards = ({ models, unit, picked, onPick, onOpen }: CardsProps) => {
  const say = useCatalogueMessages()
  const [most, setMost] = useState(step)
  const rest = models.length - most
  return (
    <>
      <ul className={classes.cards}>
        {models.slice(0, most).map((model) => (
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
      {rest > 0 && (
        <Button className={classes.more ?? ''} onClick={() => setMost(most + step)}>
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

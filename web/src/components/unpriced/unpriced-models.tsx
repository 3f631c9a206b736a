import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../display/icon.tsx'
import { dollars } from '../price-history/list-price.tsx'
import { type Adoption, useAdoptPrices } from './adopt-prices.ts'
import { useUnpricedMessages } from './messages.ts'
import classes from './unpriced.module.css'
import type { UnpricedModel } from './use-unpriced.ts'

/** More rows than fit are counted; "Adopt all" still means all. */
const mostShown = 8

/** A warning with each model's proposal: one click adopts one price, or all of them. Nothing without a model. */
export const UnpricedModels = ({ models }: { models: readonly UnpricedModel[] }) => {
  const say = useUnpricedMessages()
  const adopt = useAdoptPrices()
  if (models.length === 0) return null
  const adoptions: readonly Adoption[] = models.flatMap(({ model, suggestions: [like] }) =>
    like ? [{ model, like }] : [],
  )
  const rest = models.length - mostShown
  return (
    <section className={classes.unpriced} aria-label={say('title', { count: models.length })}>
      <div className={classes.head}>
        <Icon name="warning" size={14} />
        <strong>{say('title', { count: models.length })}</strong>
        <span className={classes.actions}>
          {adoptions.length < models.length && (
            <Link to="/setting" search={{ prices: 'unset' }} className="text-button">
              {say('set')}
            </Link>
          )}
          {adopt && adoptions.length > 0 && (
            <Button size="xs" loading={adopt.busy} onClick={() => void adopt.run(adoptions)}>
              {say('adoptAll', { count: adoptions.length })}
            </Button>
          )}
        </span>
      </div>
      <p className={classes.text}>{adopt ? say('text') : `${say('text')} ${say('rootOnly')}`}</p>
      <ul className={classes.list}>
        {models.slice(0, mostShown).map(({ model, suggestions: [like] }) => (
          <li key={model}>
            <span className={`mono ${classes.name}`} title={model}>
              {model}
            </span>
            {like ? (
              <>
                <span className={classes.like}>{say('like', { like: like.model })}</span>
                <span className={`num ${classes.price}`}>
                  {like.price.rates.input && say('input', { price: dollars('input', like.price.rates.input) })}
                  {like.price.rates.output &&
                    ` · ${say('output', { price: dollars('output', like.price.rates.output) })}`}
                </span>
                {adopt && (
                  <button
                    type="button"
                    className="text-button"
                    disabled={adopt.busy}
                    aria-label={say('adoptFor', { model, like: like.model })}
                    onClick={() => void adopt.run([{ model, like }])}
                  >
                    {say('adopt')}
                  </button>
                )}
              </>
            ) : (
              <span className="faint">{say('noLike')}</span>
            )}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="faint">{say('more', { count: rest })}</p>}
    </section>
  )
}

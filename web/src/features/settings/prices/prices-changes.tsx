import type { ModelFigures, PriceChange, PricePreview } from '../../../lib/api/contract.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import classes from './prices.module.css'
import { priceOfRatio, relativePrice } from './prices-convert.ts'
import { usePriceMessages } from './prices-messages.ts'
import { Share } from './prices-share.tsx'

const mostRows = 50

type Figure = 'input' | 'output' | 'cached' | 'audioInput' | 'audioOutput' | 'perCall'
type Prices = Readonly<Partial<Record<Figure, string>>>

const pricesOf = (figures: ModelFigures | undefined, perUnit: number): Prices => {
  if (figures === undefined) return {}
  if (figures.price !== undefined) return { perCall: String(figures.price) }
  const { ratio, audio_ratio: audio, audio_completion_ratio: spoken = 1 } = figures
  const sound =
    audio === undefined
      ? {}
      : {
          audioInput: relativePrice(ratio, audio, perUnit),
          audioOutput: relativePrice(ratio * audio, spoken, perUnit),
        }
  return {
    input: priceOfRatio(ratio, perUnit),
    output: relativePrice(ratio, figures.completion_ratio, perUnit),
    cached: relativePrice(ratio, figures.cache_ratio, perUnit),
    ...sound,
  }
}

/** A figure before and after the change; a word marks a missing one. */
const Change = ({ before, after }: { before: string | undefined; after: string | undefined }) => {
  const say = usePriceMessages()
  if (before === undefined && after === undefined) return null
  if (before === after) return <span className="num faint">${after}</span>
  return (
    <span className={classes.change}>
      <del className="num">{before === undefined ? say('none') : `$${before}`}</del>
      <span aria-hidden="true">→</span>
      <ins className="num">{after === undefined ? say('none') : `$${after}`}</ins>
      {before !== undefined && after !== undefined && <Share before={Number(before)} after={Number(after)} />}
    </span>
  )
}

const textFigures: readonly Figure[] = ['input', 'output', 'cached', 'perCall']
const allFigures: readonly Figure[] = ['input', 'output', 'cached', 'audioInput', 'audioOutput', 'perCall']

const hasSound = ({ before, after }: PriceChange): boolean =>
  before?.audio_ratio !== undefined || after?.audio_ratio !== undefined

interface RowProps {
  change: PriceChange
  perUnit: PricePreview['quota_per_unit']
  figures: readonly Figure[]
}

const ModelRow = ({ change, perUnit, figures }: RowProps) => {
  const say = usePriceMessages()
  const [before, after] = [pricesOf(change.before, perUnit.before), pricesOf(change.after, perUnit.after)]
  return (
    <tr>
      <th scope="row">
        <span className="mono">{change.model}</span>
        {!change.enabled && <small className="faint"> {say('unserved')}</small>}
      </th>
      {figures.map((figure) => (
        <td key={figure}>
          <Change before={before[figure]} after={after[figure]} />
        </td>
      ))}
    </tr>
  )
}

const mostNames = 10

/** Models that are served and will have no price: that is rarely meant. */
const Losing = ({ models }: { models: readonly PriceChange[] }) => {
  const say = usePriceMessages()
  const losing = models.filter(({ enabled, after }) => enabled && after === undefined)
  if (losing.length === 0) return null
  const names = losing.slice(0, mostNames).map(({ model }) => model)
  const text = `${names.join(', ')}${losing.length > names.length ? ' …' : ''}`
  return (
    <p className={classes.losing} role="alert">
      {say('losing', { count: losing.length, names: text })}
    </p>
  )
}

const ModelChanges = ({ preview }: { preview: PricePreview }) => {
  const say = usePriceMessages()
  const { models } = preview
  const shown = models.slice(0, mostRows)
  const figures = shown.some(hasSound) ? allFigures : textFigures
  if (models.length === 0) return <p className="muted">{say('noPriceChange')}</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame must be reachable by keyboard */}
      <div className={classes.scroll} tabIndex={0}>
        <table className={classes.table} aria-label={say('priceChanges', { count: models.length })}>
          <thead>
            <tr>
              <th scope="col">{say('model')}</th>
              {figures.map((figure) => (
                <th key={figure} scope="col">
                  {say(figure)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((change) => (
              <ModelRow key={change.model} change={change} perUnit={preview.quota_per_unit} figures={figures} />
            ))}
          </tbody>
        </table>
      </div>
      {models.length > shown.length && <p className="faint">{say('more', { count: models.length - shown.length })}</p>}
    </>
  )
}

interface NamedChange {
  readonly name: string
  readonly before?: number | undefined
  readonly after?: number | undefined
}

/** Changed figures by name, before and after. */
const NamedChanges = (props: { title: string; changes: readonly NamedChange[]; print: (figure: number) => string }) => {
  const say = usePriceMessages()
  const { title, changes, print } = props
  if (changes.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul className={classes.groups}>
        {changes.map(({ name, before, after }) => (
          <li key={name}>
            <span className="strong">{name}</span>
            <span className={classes.change}>
              <del className="num">{before === undefined ? say('none') : print(before)}</del>
              <span aria-hidden="true">→</span>
              <ins className="num">{after === undefined ? say('none') : print(after)}</ins>
              {before !== undefined && after !== undefined && <Share before={before} after={after} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const asFactor = (ratio: number): string => `×${ratio}`

/** The changed prices and ratios: old value, new value and difference. */
export const PriceChanges = ({ preview }: { preview: PricePreview }) => {
  const say = usePriceMessages()
  const { groups, models, quota_per_unit: perUnit } = preview
  return (
    <>
      {perUnit.before !== perUnit.after && (
        <p className={classes.basis} data-estimate>
          {say('unitChange', { before: formatInteger(perUnit.before), after: formatInteger(perUnit.after) })}
        </p>
      )}
      <NamedChanges
        title={say('groupChanges')}
        changes={groups.map(({ group, ...figures }) => ({ name: group, ...figures }))}
        print={asFactor}
      />
      <NamedChanges
        title={say('toolChanges')}
        changes={preview.tools.map(({ key, ...figures }) => ({ name: key, ...figures }))}
        print={(price) => say('perThousand', { price: `$${price}` })}
      />
      <NamedChanges
        title={say('tierChanges')}
        changes={preview.tiers.map(({ key, ...figures }) => ({ name: key, ...figures }))}
        print={asFactor}
      />
      <section>
        <h3>{say('priceChanges', { count: models.length })}</h3>
        <Losing models={models} />
        <ModelChanges preview={preview} />
      </section>
    </>
  )
}

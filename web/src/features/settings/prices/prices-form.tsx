import { Button, Group, Modal, SegmentedControl, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import classes from './prices.module.css'
import { ratioOfPrice, readNumber, relativeOfPrice } from './prices-convert.ts'
import type { PartChanges } from './prices-maps.ts'
import { usePriceMessages } from './prices-messages.ts'

interface AddModelProps {
  exists: (name: string) => boolean
  quotaPerUnit: number
  onAdd: (name: string, changes: PartChanges) => void
  onClose: () => void
}

type Figure = 'price' | 'ratio' | 'completion' | 'cache'
type Problems = Readonly<Partial<Record<Figure | 'name', string>>>
type Numbers = Readonly<Record<Figure, number | null | undefined>>

const noText = { price: '', ratio: '', completion: '', cache: '' }

const partsOf = (numbers: Numbers, how: { byCall: boolean; asPrices: boolean; perUnit: number }): PartChanges => {
  const { price, ratio, completion, cache } = numbers
  if (how.byCall) return { price: price ?? null }
  const own = (value: number | null | undefined): value is number => typeof value === 'number'
  if (!own(ratio)) return {}
  const base = how.asPrices ? ratioOfPrice(ratio, how.perUnit) : ratio
  const relative = (value: number): number | undefined =>
    how.asPrices ? relativeOfPrice(value, base, how.perUnit) : value
  const of = (value: number | null | undefined) => (own(value) ? relative(value) : undefined)
  const [output, cached] = [of(completion), of(cache)]
  return {
    ratio: base,
    ...(output === undefined ? {} : { completion: output }),
    ...(cached === undefined ? {} : { cache: cached }),
  }
}

/** A model that no map names yet: by price or by ratio, by usage or per call. */
export const AddModel = ({ exists, quotaPerUnit, onAdd, onClose }: AddModelProps) => {
  const say = usePriceMessages()
  const [name, setName] = useState('')
  const [byCall, setByCall] = useState(false)
  const [asPrices, setAsPrices] = useState(true)
  const [texts, setTexts] = useState(noText)
  const [problems, setProblems] = useState<Problems>({})

  const find = (numbers: Numbers): Problems => {
    const figures: readonly Figure[] = byCall ? ['price'] : ['ratio', 'completion', 'cache']
    const [first] = figures
    const needed = first !== undefined && numbers[first] === null ? { [first]: say('wantsPrice') } : {}
    const relative = asPrices && !byCall && numbers.ratio === 0
    const unrelated = figures.filter((each) => relative && each !== 'ratio' && numbers[each] !== null)
    const unreadable = figures.filter((each) => numbers[each] === undefined)
    return {
      ...(name.trim() === '' ? { name: say('wantsName') } : exists(name.trim()) ? { name: say('exists') } : {}),
      ...needed,
      ...Object.fromEntries(unrelated.map((each) => [each, say('wantsInput')])),
      ...Object.fromEntries(unreadable.map((each) => [each, say('wantsNumber')])),
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // The settings may be around it one day: this form is its own.
    event.stopPropagation()
    const numbers: Numbers = {
      price: readNumber(texts.price),
      ratio: readNumber(texts.ratio),
      completion: readNumber(texts.completion),
      cache: readNumber(texts.cache),
    }
    const found = find(numbers)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    onAdd(name.trim(), partsOf(numbers, { byCall, asPrices, perUnit: quotaPerUnit }))
    onClose()
  }
  const figure = (part: Figure, label: string, placeholder?: string) => (
    <TextInput
      key={part}
      label={label}
      placeholder={placeholder}
      value={texts[part]}
      error={problems[part]}
      inputMode="decimal"
      spellCheck={false}
      classNames={{ input: 'num' }}
      onChange={(event) => setTexts({ ...texts, [part]: event.currentTarget.value })}
    />
  )
  const choice = (label: string, value: boolean, onChange: (on: boolean) => void, [off, on]: readonly string[]) => (
    <SegmentedControl
      fullWidth
      aria-label={label}
      value={String(value)}
      onChange={(next) => {
        onChange(next === 'true')
        setProblems({})
      }}
      data={[
        { value: 'false', label: off ?? '' },
        { value: 'true', label: on ?? '' },
      ]}
    />
  )
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong className="strong">{say('addTitle')}</strong>}
      withCloseButton={false}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label={say('name')}
          value={name}
          error={problems.name}
          spellCheck={false}
          classNames={{ input: 'mono' }}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        {choice(say('pricing'), byCall, setByCall, [say('byUsage'), say('byCall')])}
        {byCall ? (
          figure('price', say('perCallPrice'))
        ) : (
          <>
            {choice(say('setBy'), asPrices, setAsPrices, [say('byRatios'), say('byPrices')])}
            <div className={classes.figures}>
              {figure('ratio', say(asPrices ? 'inputPrice' : 'ratio'))}
              {figure('completion', say(asPrices ? 'outputPrice' : 'completion'))}
              {figure('cache', say(asPrices ? 'cachePrice' : 'cache'))}
            </div>
          </>
        )}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button type="submit" variant="filled">
            {say('doAdd')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

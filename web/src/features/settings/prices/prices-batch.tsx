import { Button, Group, Modal, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import classes from './prices.module.css'
import { readNumber } from './prices-convert.ts'
import type { PartChanges } from './prices-maps.ts'
import { usePriceMessages } from './prices-messages.ts'

const kinds = ['price', 'ratio', 'completion', 'both'] as const
type Kind = (typeof kinds)[number]

const kindWords = {
  price: 'batchPrice',
  ratio: 'batchRatio',
  completion: 'batchCompletion',
  both: 'batchBoth',
} as const satisfies Readonly<Record<Kind, string>>

interface BatchProps {
  count: number
  onFill: (changes: PartChanges) => void
  onClose: () => void
}

/** The same figures for several models at once. */
export const BatchFill = ({ count, onFill, onClose }: BatchProps) => {
  const say = usePriceMessages()
  const [kind, setKind] = useState<Kind>('ratio')
  const [value, setValue] = useState('')
  const [second, setSecond] = useState('')
  const [problem, setProblem] = useState<string>()

  const changesOf = (): PartChanges | string => {
    const numbers = (kind === 'both' ? [value, second] : [value]).map(readNumber)
    const [first, completion] = numbers
    if (numbers.includes(null)) return say(kind === 'both' ? 'wantsBoth' : 'wantsValue')
    if (first === undefined || first === null || numbers.includes(undefined)) return say('wantsValidNumber')
    return kind === 'both' ? { ratio: first, completion: completion ?? null } : { [kind]: first }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    const changes = changesOf()
    if (typeof changes === 'string') {
      setProblem(changes)
      return
    }
    onFill(changes)
    onClose()
  }
  const figure = (label: string, text: string, set: (text: string) => void, error: string | undefined) => (
    <TextInput
      label={label}
      value={text}
      error={error}
      inputMode="decimal"
      spellCheck={false}
      classNames={{ input: 'num' }}
      onChange={(event) => {
        set(event.currentTarget.value)
        setProblem(undefined)
      }}
    />
  )
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong className="strong">{say('batchTitle')}</strong>}
      withCloseButton={false}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className="muted">{say('batchText', { count })}</p>
        <Select
          label={say('batchType')}
          data={kinds.map((each) => ({ value: each, label: say(kindWords[each]) }))}
          value={kind}
          onChange={(next) => {
            setKind(kinds.find((each) => each === next) ?? 'ratio')
            setProblem(undefined)
          }}
        />
        {kind === 'both' ? (
          <div className={classes.figures}>
            {figure(say('ratio'), value, setValue, problem)}
            {figure(say('completion'), second, setSecond, undefined)}
          </div>
        ) : (
          figure(say('batchValue'), value, setValue, problem)
        )}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button type="submit" variant="filled">
            {say('batchDo')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

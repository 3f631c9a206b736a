import { NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, type Declaration, type DeclaredUsage, declaredPieces } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { useDeclaredUsageMessages } from './messages.ts'

/** Declarations that can be chosen; `priced` follows from the prices. */
type Way = Exclude<Declaration['as'], 'priced'>

const waysOf = (kind: string): readonly Way[] => {
  if (kind === 'cost') return ['informative']
  if (kind === 'tier' || kind === 'geo' || kind === 'version') return ['factor', 'informative']
  if (kind === 'model') return ['model', 'informative']
  return kind === 'tool' ? ['call', 'informative'] : ['piece', 'informative']
}

interface Values {
  as: Declaration['as']
  piece: (typeof declaredPieces)[number]
  factor: number | string
  price: number | string
  model: string
}

const declarationIn = ({ as, piece, factor, price, model }: Values): Declaration => {
  if (as === 'piece') return { as, piece }
  if (as === 'model') return { as, model: model.trim() }
  if (as === 'factor') return { as, factor: Number(factor) }
  return as === 'call' ? { as, price: Number(price) } : { as }
}

const isNumber = (value: number | string): boolean => value !== '' && Number(value) >= 0

/** Form for the price of a part of answers. */
export const DeclareForm = ({ kind, onClose }: { kind: DeclaredUsage; onClose: () => void }) => {
  const say = useDeclaredUsageMessages()
  const ways = waysOf(kind.kind)
  const isCost = kind.kind === 'cost'
  const form = useForm<Values>({
    initialValues: {
      as: ways[0] ?? 'informative',
      piece: 'output',
      factor: '',
      price: '',
      model: '',
      ...kind.declaration,
    },
    validate: {
      factor: (value, { as }) => (as === 'factor' && !isNumber(value) ? say('factorLabel') : null),
      model: (value, { as }) => (as === 'model' && value.trim() === '' ? say('modelLabel') : null),
      price: (value, { as }) => (as === 'call' && !isNumber(value) ? say('callLabel') : null),
    },
  })
  const save = useAction(
    (values: Values) => call(calls.declareUsage, { params: { id: kind.id }, body: declarationIn(values) }),
    { refresh: [calls.listDeclaredUsage] },
  )
  const { as } = form.getValues()
  return (
    <FormDrawer
      title={kind.name}
      form={form}
      onSubmit={save.submit}
      onClose={onClose}
      submitLabel={say(isCost ? 'note' : 'save')}
    >
      <SegmentedControl
        aria-label={say('as')}
        data={ways.map((way) => ({ value: way, label: say(isCost ? 'seen' : `as_${way}`) }))}
        {...form.getInputProps('as')}
      />
      {as === 'piece' && (
        <Select
          label={say('pieceLabel')}
          allowDeselect={false}
          data={declaredPieces.map((piece) => ({ value: piece, label: say(`piece_${piece}`) }))}
          {...form.getInputProps('piece')}
        />
      )}
      {as === 'factor' && (
        <NumberInput label={say('factorLabel')} required min={0} hideControls {...form.getInputProps('factor')} />
      )}
      {as === 'model' && <TextInput label={say('modelLabel')} required {...form.getInputProps('model')} />}
      {as === 'call' && (
        <NumberInput label={say('callLabel')} required min={0} hideControls {...form.getInputProps('price')} />
      )}
      <p>{say(isCost ? 'costHint' : 'hint')}</p>
    </FormDrawer>
  )
}

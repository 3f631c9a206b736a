import { Button, MultiSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { UnpricedModels } from '../../../../components/unpriced/unpriced-models.tsx'
import { useUnpriced } from '../../../../components/unpriced/use-unpriced.ts'
import { type ChannelType, calls } from '../../../../lib/api/contract.ts'
import { notifyInfo } from '../../../../lib/notify.tsx'
import { useEndpoint } from '../../../../lib/query.ts'
import { addModels, type ChannelValues } from '../fields.ts'
import classes from '../form.module.css'
import { useChannelFormMessages } from '../form-messages.ts'
import { ChosenModels } from './chosen-models.tsx'
import { ModelDiffPanel } from './model-diff-panel.tsx'
import type { ModelReading } from './read-models.ts'

const fiveMinutesMs = 5 * 60_000
/** More entries than this are found by typing. */
const mostOptions = 200
const quietMs = 400

interface ModelsFieldProps {
  values: ChannelValues
  type: ChannelType | undefined
  /** The stored channel has models that users call; a new one takes what its provider offers. */
  isNew: boolean
  reading: ModelReading
  error: ReactNode
  onChange: (models: string[]) => void
}

/** The models of a channel: chosen, filled in, fetched from the upstream as the form has it, or named freely. */
export const ModelsField = ({ values, type, isNew, reading, error, onChange }: ModelsFieldProps) => {
  const say = useChannelFormMessages()
  const all = useEndpoint(calls.listAllModels, {}, { staleTimeMs: fiveMinutesMs })
  const [custom, setCustom] = useState('')
  const [settled] = useDebouncedValue(values.models, quietMs)
  const unpriced = useUnpriced(settled) ?? []
  const { models } = values
  const suggestions = [...new Set([...(type?.models ?? []), ...(all.data ?? []).map((model) => model.id)])]

  const addCustom = (): void => {
    const added = addModels(models, custom)
    if (added.exists) {
      notifyInfo(say('exists'))
      return
    }
    onChange(added.models)
    setCustom('')
  }
  return (
    <div className={classes.models}>
      <MultiSelect
        label={say('models')}
        description={say('modelsCount', { count: models.length })}
        placeholder={say('modelsPlaceholder')}
        nothingFoundMessage={say('modelsNone')}
        withAsterisk
        searchable
        clearable
        hidePickedOptions
        limit={mostOptions}
        maxDropdownHeight={280}
        classNames={{ pillsList: classes.pills, pill: 'mono' }}
        data={[...new Set([...suggestions, ...models])]}
        value={models}
        onChange={onChange}
        error={error}
      />
      <div className={classes.buttons}>
        <Button size="compact-sm" onClick={() => onChange([...(type?.models ?? [])])}>
          {say('fillRelated')}
        </Button>
        <Button size="compact-sm" onClick={() => onChange(suggestions)}>
          {say('fillAll')}
        </Button>
        <Button size="compact-sm" loading={reading.busy} onClick={() => void reading.read()}>
          {say('fetch')}
        </Button>
        <Button size="compact-sm" color="bad" variant="subtle" onClick={() => onChange([])}>
          {say('clear')}
        </Button>
      </div>
      {reading.offered && (
        <ModelDiffPanel
          key={reading.offered.join()}
          chosen={models}
          offered={reading.offered}
          dropsGone={isNew}
          onApply={(next) => {
            onChange(next)
            reading.forget()
          }}
          onClose={reading.forget}
        />
      )}
      <ChosenModels models={models} onChange={onChange} />
      <div className={classes.custom}>
        <TextInput
          aria-label={say('custom')}
          placeholder={say('customPlaceholder')}
          value={custom}
          onChange={(event) => setCustom(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            addCustom()
          }}
        />
        <Button disabled={custom.trim() === ''} onClick={addCustom}>
          {say('fill')}
        </Button>
      </div>
      <UnpricedModels models={unpriced} />
    </div>
  )
}

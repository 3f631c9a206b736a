import { Button, MultiSelect, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type ChannelType, calls } from '../../../lib/api/contract.ts'
import { notifyFailure, notifyInfo } from '../../../lib/notify.tsx'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { addModels, type ChannelValues, keysOf, vertexType } from './fields.ts'
import classes from './form.module.css'
import { useChannelFormMessages } from './form-messages.ts'
import { readObject } from './json-text.ts'
import { ModelDiffPanel } from './model-diff-panel.tsx'

const fiveMinutesMs = 5 * 60_000
/** More entries than this are found by typing. */
const mostOptions = 200

interface ModelsFieldProps {
  values: ChannelValues
  type: ChannelType | undefined
  /** The stored channel; its key is used while none is typed. */
  id: number | undefined
  error: ReactNode
  onChange: (models: string[]) => void
}

/** The models of a channel: chosen, filled in, fetched from the upstream as the form has it, or named freely. */
export const ModelsField = ({ values, type, id, error, onChange }: ModelsFieldProps) => {
  const say = useChannelFormMessages()
  const all = useEndpoint(calls.listAllModels, {}, { staleTimeMs: fiveMinutesMs })
  const [custom, setCustom] = useState('')
  const [offered, setOffered] = useState<readonly string[]>()
  const fetching = useAction(calls.fetchModels, { done: say('fetched'), onDone: (list) => setOffered(list) })
  const { models } = values
  const suggestions = [...new Set([...(type?.models ?? []), ...(all.data ?? []).map((model) => model.id)])]

  const fetchList = (): void => {
    const key = values.type === vertexType ? values.key.trim() : (keysOf(values.key)[0] ?? '')
    if (key === '' && id === undefined) {
      notifyFailure(say('keyRequired'))
      return
    }
    const proxy = readObject(values.setting)?.proxy
    void fetching.run({
      body: {
        type: values.type,
        base_url: values.baseUrl.trim().replace(/\/+$/, ''),
        key,
        ...(id === undefined ? {} : { id }),
        ...(typeof proxy === 'string' && proxy !== '' ? { proxy } : {}),
      },
    })
  }
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
        <Button size="compact-sm" loading={fetching.busy} onClick={fetchList}>
          {say('fetch')}
        </Button>
        <Button size="compact-sm" color="bad" variant="subtle" onClick={() => onChange([])}>
          {say('clear')}
        </Button>
      </div>
      {offered && (
        <ModelDiffPanel
          key={offered.join()}
          chosen={models}
          offered={offered}
          onApply={(next) => {
            onChange(next)
            setOffered(undefined)
          }}
          onClose={() => setOffered(undefined)}
        />
      )}
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
    </div>
  )
}

import { mostAgentModels } from 'virtual:contract'
import { MultiSelect, Select } from '@mantine/core'
import type { Token } from '#web/lib/api/contract.ts'
import classes from './agents.module.css'
import { useAgentMessages } from './messages.ts'

interface ControlsProps {
  tokens: readonly Token[]
  /** Id of the chosen key; 0 for a placeholder. */
  token: number
  onToken: (id: string | undefined) => void
  offered: readonly string[]
  models: readonly string[]
  onModels: (models: readonly string[]) => void
}

/** The choice of a key and of models. */
export const Controls = ({ tokens, token, onToken, offered, models, onModels }: ControlsProps) => {
  const say = useAgentMessages()
  const keys = [
    ...tokens.map(({ id, name }) => ({ value: String(id), label: name })),
    { value: '0', label: say('noKey') },
  ]
  return (
    <div className={classes.controls}>
      <Select
        label={say('key')}
        data={keys}
        allowDeselect={false}
        value={String(token)}
        onChange={(id) => onToken(id ?? undefined)}
      />
      <MultiSelect
        label={say('models')}
        description={say('modelsHint')}
        inputWrapperOrder={['label', 'input', 'description']}
        data={[...offered]}
        searchable
        limit={100}
        maxValues={mostAgentModels}
        nothingFoundMessage={say('modelsEmpty')}
        value={[...models]}
        onChange={onModels}
      />
    </div>
  )
}

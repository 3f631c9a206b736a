import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../../components/display/icon.tsx'
import classes from '../form.module.css'
import { useChannelFormMessages } from '../form-messages.ts'

/** Fewer models are found by looking. */
const leastModels = 20
const mostShown = 30

/** A search among the chosen models, to find one of hundreds and remove it. */
export const ChosenModels = ({ models, onChange }: { models: string[]; onChange: (models: string[]) => void }) => {
  const say = useChannelFormMessages()
  const [text, setText] = useState('')
  if (models.length < leastModels) return null
  const search = text.trim().toLowerCase()
  const found = search === '' ? [] : models.filter((model) => model.toLowerCase().includes(search))
  return (
    <div className={classes.chosenModels}>
      <TextInput
        type="search"
        size="xs"
        aria-label={say('chosenSearch', { count: models.length })}
        placeholder={say('chosenSearch', { count: models.length })}
        leftSection={<Icon name="search" size={14} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {search !== '' && (
        <ul>
          {found.slice(0, mostShown).map((model) => (
            <li key={model}>
              <span className="mono">{model}</span>
              <button
                type="button"
                className="text-button"
                aria-label={say('chosenRemove', { model })}
                onClick={() => onChange(models.filter((other) => other !== model))}
              >
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
          {found.length === 0 && <li className="faint">{say('modelsNone')}</li>}
          {found.length > mostShown && (
            <li className="faint">{say('chosenMore', { count: found.length - mostShown })}</li>
          )}
        </ul>
      )}
    </div>
  )
}

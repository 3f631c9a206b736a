import type { ReactNode } from 'react'
import { valuePairs } from '../../../components/form/pairs/pairs.ts'
import { useChannelFormMessages } from './form-messages.ts'
import { overrideDoubt, overrideNames, overridePreview } from './override-doubt.ts'
import classes from './override-field.module.css'
import { PairsField } from './pairs-field.tsx'

interface OverrideFieldProps {
  /** A model of the channel, for the example. */
  model: string
  value: string
  onChange: (text: string) => void
  onBlur?: () => void
  error?: ReactNode
}

const template = JSON.stringify({ temperature: 0 }, null, 2)

/** An ordinary request, before and after. */
const Preview = ({ model, value }: { model: string; value: string }) => {
  const say = useChannelFormMessages()
  const example = {
    model,
    messages: [{ role: 'user', content: '…' }],
    temperature: 0.7,
    max_tokens: 1024,
    stream: true,
  }
  const lines = overridePreview(example, value)
  if (!lines || value.trim() === '') return null
  return (
    <figure className={classes.preview}>
      <figcaption>{say('overridePreview')}</figcaption>
      <pre className="mono">
        {'{\n'}
        {lines.map(({ name, before, after }, place) => (
          <span key={name} data-changed={before !== after || undefined}>
            {`  ${JSON.stringify(name)}: `}
            {before !== undefined && before !== after && <del>{before}</del>}
            {before !== undefined && before !== after && ' '}
            {before === after ? after : <ins>{after}</ins>}
            {place < lines.length - 1 ? ',\n' : '\n'}
          </span>
        ))}
        {'}'}
      </pre>
    </figure>
  )
}

/** Members that the channel puts into every body: rows that say what is doubtful about them, JSON, and what becomes of a request. */
export const OverrideField = ({ model, ...field }: OverrideFieldProps) => {
  const say = useChannelFormMessages()
  return (
    <div>
      <PairsField
        {...field}
        label={say('override')}
        description={say('overrideHint')}
        template={template}
        form={valuePairs}
        names={[say('parameter'), say('pairValue')]}
        suggested={[overrideNames, []]}
        doubt={(name, value) => overrideDoubt(name, value, say)}
      />
      <Preview model={model} value={field.value} />
    </div>
  )
}

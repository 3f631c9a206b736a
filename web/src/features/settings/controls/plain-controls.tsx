import { NativeSelect, Skeleton, Switch, Textarea, TextInput } from '@mantine/core'
import { JsonField } from '../../../components/form/json-field.tsx'
import { textIn } from '../../../lib/i18n.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { rowsFor } from '../../../lib/text/rows-for.ts'
import { useControl } from './control.ts'
import classes from './controls.module.css'
import { NumberControl } from './number-control.tsx'

const FlagControl = () => {
  const { label, help, text, error, writable, edit, leave } = useControl()
  return (
    <Switch
      label={label}
      description={help}
      error={error}
      checked={text === 'true'}
      disabled={!writable}
      onChange={(event) => edit(String(event.currentTarget.checked))}
      onBlur={leave}
    />
  )
}

const TextControl = () => {
  const { label, help, text, error, writable, edit, leave } = useControl()
  return (
    <TextInput
      label={label}
      description={help}
      error={error}
      value={text}
      onChange={(event) => edit(event.currentTarget.value)}
      onBlur={leave}
      readOnly={!writable}
      spellCheck={false}
    />
  )
}

export const LongTextControl = () => {
  const { option, label, help, text, error, writable, edit, leave } = useControl()
  return (
    <Textarea
      label={label}
      description={help}
      error={error}
      value={text}
      onChange={(event) => edit(event.currentTarget.value)}
      onBlur={leave}
      readOnly={!writable}
      spellCheck={false}
      rows={rowsFor(text, option.control === 'lines' ? 4 : 6, 12)}
      resize="vertical"
      classNames={{ input: 'mono' }}
    />
  )
}

const TagsControl = onDemand(
  async () => (await import('./tags-control.tsx')).TagsControl,
  () => <Skeleton h={84} />,
)

const ChoiceControl = () => {
  const { choices, label, help, text, error, writable, edit, language } = useControl()
  return (
    <NativeSelect
      label={label}
      description={help}
      error={error}
      value={text}
      data={choices.map((choice) => ({ value: choice.value, label: textIn(choice.label, language) }))}
      onChange={(event) => edit(event.currentTarget.value)}
      disabled={!writable}
      className={classes.short}
    />
  )
}

export const JsonControl = () => {
  const { label, help, text, error, writable, edit, leave } = useControl()
  return (
    <JsonField
      label={label}
      description={help}
      error={error}
      value={text}
      onChange={edit}
      onBlur={leave}
      readOnly={!writable}
    />
  )
}

/** One renderer per kind of option; a kind that is added to the registry without one does not compile. */
export const plainControls = {
  flag: FlagControl,
  integer: NumberControl,
  decimal: NumberControl,
  text: TextControl,
  longText: LongTextControl,
  lines: LongTextControl,
  tags: TagsControl,
  choice: ChoiceControl,
  json: JsonControl,
}

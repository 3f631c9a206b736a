import { TagsInput } from '@mantine/core'
import { useControl } from './control.ts'

/** A list of words. */
export const TagsControl = () => {
  const { label, help, text, error, writable, edit, leave } = useControl()
  return (
    <TagsInput
      label={label}
      description={help}
      error={error}
      value={text.split(',').filter(Boolean)}
      onChange={(entries) => edit(entries.join(','))}
      onBlur={leave}
      readOnly={!writable}
      splitChars={[',', '，', ' ', ';']}
      clearable={writable}
    />
  )
}

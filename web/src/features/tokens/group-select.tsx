import { Select } from '@mantine/core'
import { ownMember } from '@tollgate/contract/own-member'
import { ratioTone } from '../../components/display/group-tag.tsx'
import { StatusBadge } from '../../components/display/status-badge.tsx'
import { calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useGroupText } from '../../lib/text/group-text.ts'
import { typedOver } from '../../lib/text/select-text.ts'
import { useTokenMessages } from './messages.ts'
import classes from './tokens.module.css'

interface GroupSelectProps {
  value: string
  onChange: (group: string) => void
}

/** The groups that a person may give to a key, each with its description and ratio. */
export const GroupSelect = ({ value, onChange }: GroupSelectProps) => {
  const say = useTokenMessages()
  const groupText = useGroupText()
  const { data: groups } = useEndpoint(calls.getOwnGroups)
  const names = Object.keys(groups ?? {})
  const choices = value === '' || names.includes(value) ? names : [...names, value]
  const nothing = groups !== undefined && names.length === 0
  return (
    <Select
      label={say('groupLabel')}
      placeholder={nothing ? say('noGroups') : say('userGroup')}
      disabled={nothing}
      data={choices}
      value={value === '' ? null : value}
      onChange={(group) => onChange(group ?? '')}
      clearable
      searchable
      {...typedOver}
      renderOption={({ option }) => {
        const group = groups && ownMember(groups, option.value)
        return (
          <span className={classes.option}>
            <span>
              {option.value} {group && <span className="faint">{groupText(group.desc)}</span>}
            </span>
            {group && <StatusBadge tone={ratioTone(group.ratio)} label={`×${group.ratio}`} />}
          </span>
        )
      }}
    />
  )
}

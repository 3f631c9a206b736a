import { useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import type { Channel } from '../../../lib/api/contract.ts'
import classes from '../channels.module.css'
import { ChannelStatusBadge, TestResult } from '../columns.tsx'
import { useTagMessages } from './tag-messages.ts'
import type { TagRow } from './tag-rows.ts'

/** The channels of a tag, read when it is unfolded. */
export const TagChildren = ({ row, onEdit }: { row: TagRow; onEdit: (channel: Channel) => void }) => {
  const sayTag = useTagMessages()
  const [open, setOpen] = useState(false)
  const count = row.channels.length
  return (
    <div className={classes.children}>
      <button
        type="button"
        className={classes.childrenToggle}
        aria-expanded={open}
        aria-label={sayTag('childrenShow', { tag: row.tag || sayTag('untagged'), count })}
        onClick={() => setOpen(!open)}
      >
        {sayTag('childrenCount', { count })}
        <Icon name={open ? 'up' : 'down'} size={12} />
      </button>
      {open && (
        <ul>
          {row.channels.map((channel) => (
            <li key={channel.id}>
              <button type="button" className="text-button" onClick={() => onEdit(channel)}>
                {channel.name}
              </button>
              <ChannelStatusBadge channel={channel} />
              <TestResult channel={channel} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

import { Link } from '@tanstack/react-router'
import { Hint } from '../display/hint.tsx'

interface Named {
  id: number
  /** Empty or absent where it is gone. */
  name: string | undefined
}

const dash = <span className="faint">—</span>

/** A channel by name, with its id on hover and focus. */
export const ChannelName = ({ id, name }: Named) => {
  if (id <= 0) return dash
  if (!name) return <span className="num faint">#{id}</span>
  return (
    <Hint label={`#${id}`}>
      <Link to="/channel/$id" params={{ id: String(id) }}>
        {name}
      </Link>
    </Hint>
  )
}

/** A user by name, with the id on hover and focus. */
export const UserName = ({ id, name }: Named) => {
  if (id <= 0) return dash
  if (!name) return <span className="num faint">#{id}</span>
  return (
    <Hint label={`#${id}`}>
      <Link to="/user/$id" params={{ id: String(id) }}>
        {name}
      </Link>
    </Hint>
  )
}

import { Link } from '@tanstack/react-router'

/** A user's name that leads to the page about them. For admins. */
export const UserLink = ({ id, name }: { id: number; name: string }) => (
  <Link to="/user/$id" params={{ id: String(id) }}>
    {name}
  </Link>
)

import { type Kysely, sql } from 'kysely'

interface Row {
  readonly organisation_id: number
  readonly team_id: number
  readonly user_id: number
  readonly role: string
  readonly provider_id: number
}

/** Roles that sign-in providers gave are remembered where those of SCIM are. */
export const givenRoles = {
  async up(on: Kysely<unknown>): Promise<void> {
    const { rows } = await sql<Row>`
      select organisation_id, team_id, user_id, role, provider_id from memberships where provider_id > 0`.execute(on)
    for (const { organisation_id, team_id, user_id, role, provider_id } of rows) {
      const source = `idp:${provider_id}`
      const place = sql`organisation_id = ${organisation_id} and team_id = ${team_id} and user_id = ${user_id}`
      // Beside a role of SCIM, that of a provider counted as one by hand.
      await sql`update given_roles set source = ${source} where ${place} and source = 'hand'`.execute(on)
      const known = await sql`select id from given_roles where ${place} and source = ${source}`.execute(on)
      if (known.rows.length === 0)
        await sql`insert into given_roles (organisation_id, team_id, user_id, source, role)
          values (${organisation_id}, ${team_id}, ${user_id}, ${source}, ${role})`.execute(on)
      await sql`update memberships set provider_id = 0 where ${place}`.execute(on)
    }
  },
}

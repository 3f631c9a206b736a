/** The owner of the tokens, as the console call knows them. */
export interface Owner {
  readonly id: number
  readonly username: string
  readonly group: string
  readonly ip: string
  /** Who acts, where the owner is the wallet of an organisation. */
  readonly actor?: { readonly id: number; readonly username: string }
  /** What new keys belong to; absent for keys of a person's own. */
  readonly project?: { readonly project_id: number; readonly member_id: number }
}

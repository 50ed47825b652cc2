import { RegistryError } from "@launch-registry/client"
import { registry } from "../registry/Connection.ts"
import { issuesOf } from "./Issues.ts"
import { changeDraft, editDraft, launchShown, show } from "./LaunchStore.ts"
import { linkOf } from "./Links.ts"
import { squareImage } from "./SquareImage.ts"

/** Cuts an image that the user has chosen to a square, and uploads it. */
export const takeImage = async (file: File): Promise<void> => {
  const refuse = (image: string) => show({ issues: { ...launchShown().issues, image } })
  show({ activity: "uploading", failure: undefined })
  try {
    const square = await squareImage(file)
    if (typeof square === "string") return refuse(square)
    const { image, preview } = square
    const answer = await registry.ipfs.uploadImage({ body: { image, fileName: file.name.slice(0, 200) } })
    if (answer.success) editDraft({ picture: { uri: answer.data.imageUri, preview }, metadataUri: null }, ["image"])
    else refuse(`It was not uploaded: ${answer.message}. Choose it again to try again`)
  } finally {
    show({ activity: undefined })
  }
}

/** The details as they are sent: absent where nothing was entered. */
export const sentDetails = () => {
  const { details, picture } = launchShown().draft
  const { description, name, symbol } = details
  const links = (["website", "twitter", "telegram"] as const).map(
    (kind) => [kind, linkOf(kind, details[kind])] as const,
  )
  return {
    ...{ name: name.trim(), symbol: symbol.trim() },
    ...(description.trim() !== "" && { description: description.trim() }),
    ...(Object.fromEntries(links.filter(([, link]) => link !== "")) as Partial<
      Record<"website" | "twitter" | "telegram", string>
    >),
    ...(picture !== null && { imageUri: picture.uri }),
  }
}

/** Uploads the metadata document, unless the one of these details is there. The same details give the same document. */
export const storeMetadata = async (): Promise<string | undefined> => {
  const { details, metadataUri, picture } = launchShown().draft
  if (metadataUri !== null) return metadataUri
  show({ activity: "saving" })
  const answer = await registry.ipfs.uploadMetadata({ body: sentDetails() })
  if (!answer.success) {
    const issues = issuesOf(answer)
    show(issues === undefined ? { failure: new RegistryError(answer) } : { issues })
    return undefined
  }
  const now = launchShown().draft
  if (now.details !== details || now.picture !== picture) {
    show({ notice: "Something was changed while it was stored: launch again" })
    return undefined
  }
  changeDraft({ metadataUri: answer.data.metadataUri })
  return answer.data.metadataUri
}

-- What a launched token is called on chain, as last read: whoever may update its metadata can rename it. A launch whose metadata was never read
-- has no row, and is called what it was launched as.
create table token_labels (
  mint text collate "C" primary key, name text not null, symbol text not null, uri text not null,
  is_final boolean not null, -- Nobody can change it any more.
  slot bigint not null, -- Of the read.
  read_at timestamptz(3) not null
);

-- How far the launches are compared with their metadata, and when processes last did so.
create table label_progress (
  id boolean primary key default true check (id), compared_to text collate "C" not null default '',
  compared_at timestamptz not null default '-infinity'
);
insert into label_progress default values;
